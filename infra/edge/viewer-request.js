// CloudFront Functions, runtime cloudfront-js-2.0, event type viewer-request.
//
// Makes three things certain before the cache is asked:
//   - Accept is one of two values, so that a cache key with Accept in it holds two forms of a page and no more.
//     The rule is that of fingerpost/web/negotiation.py (RFC 9110 12.5.1); both pass one table of cases.
//   - x-viewer-host is the host that the viewer really asked for.
//   - No header by which a client could claim another host, scheme, path or method goes any further.
// Cookies and the query are left alone: the cache policy says which of them count.
//
// The runtime knows ES 5.1 with const, let, arrow functions and template literals; nothing newer is used.

const MARKDOWN = 'text/markdown';
const HTML = 'text/html';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const RANGE = new RegExp('^' + TOKEN + '/' + TOKEN + '$');
const PARAMETER = new RegExp('^(' + TOKEN + ')(?:=(' + TOKEN + '|"(?:[^"\\\\]|\\\\[\\s\\S])*"))?$');
const QUALITY = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

// How precisely a media range names a type, least first.
const NOT = 0, ANY = 1, GROUP = 2, OTHER_PARAMETERS = 3, NAMED = 4, OUR_PARAMETERS = 5;

const UNTRUSTED = /^(?:forwarded$|x-forwarded-|x-original-|x-rewrite-|x-http-method|x-method-override$|x-host$|x-viewer-)/;

function handler(event) {
  try {
    normalise(event.request.headers);
  } catch (error) {
    // An event of another shape goes on as it came: the origin trusts none of its headers but x-viewer-host,
    // which is taken away first.
  }
  return event && event.request;
}

function normalise(headers) {
  Object.keys(headers).forEach((name) => {
    if (UNTRUSTED.test(name.toLowerCase())) delete headers[name];
  });
  const host = valueOf(headers.host);
  if (host !== '') headers['x-viewer-host'] = { value: host.toLowerCase() };
  headers.accept = { value: prefersMarkdown(valueOf(headers.accept)) ? MARKDOWN : HTML };
}

// A header's value; one that was sent several times is one list (RFC 9110 5.3).
function valueOf(header) {
  if (!header) return '';
  const lines = Array.isArray(header.multiValue) && header.multiValue.length > 0 ? header.multiValue : [header];
  return lines.map((line) => (line && typeof line.value === 'string' ? line.value : '')).join(',');
}

function prefersMarkdown(accept) {
  const ranges = rangesOf(accept);
  const markdown = decisive(MARKDOWN, ranges);
  const html = decisive(HTML, ranges);
  return markdown.precision > GROUP && markdown.quality > 0 && markdown.quality >= html.quality;
}

// The most specific range that covers a type; of equally specific ones, the one with the highest q.
function decisive(type, ranges) {
  let best = { precision: NOT, quality: 0 };
  ranges.forEach((range) => {
    const precision = precisionOf(range, type);
    if (precision === NOT || precision < best.precision) return;
    if (precision > best.precision || range.quality > best.quality) {
      best = { precision: precision, quality: range.quality };
    }
  });
  return best;
}

function precisionOf(range, type) {
  if (range.name === type) {
    if (range.parameters.length === 0) return NAMED;
    return range.parameters.join(';') === 'charset=utf-8' ? OUR_PARAMETERS : OTHER_PARAMETERS;
  }
  if (range.name === 'text/*') return GROUP;
  return range.name === '*/*' ? ANY : NOT;
}

// The well-formed members of an Accept list; q in thousandths.
function rangesOf(accept) {
  const ranges = [];
  split(accept, ',').forEach((member) => {
    const parts = split(member, ';').map(trim);
    if (!RANGE.test(parts[0])) return;
    const range = { name: parts[0].toLowerCase(), parameters: [], quality: -1 };
    for (let i = 1; i < parts.length; i++) {
      if (parts[i] === '') continue;
      const parameter = PARAMETER.exec(parts[i]);
      if (!parameter) return;
      const key = parameter[1].toLowerCase();
      const value = parameter[2] || '';
      if (key !== 'q' || range.quality >= 0) {
        range.parameters.push(`${key}=${value.toLowerCase()}`.replace(/"/g, ''));
      } else if (QUALITY.test(value)) {
        range.quality = Math.round(parseFloat(value) * 1000);
      } else {
        return;
      }
    }
    if (range.quality < 0) range.quality = 1000;
    ranges.push(range);
  });
  return ranges;
}

// Cuts a text at every separator outside a quoted string; one that never ends reaches to the end.
function split(text, separator) {
  const parts = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quoted && character === '\\') i++;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

// Takes spaces and tabs off both ends, and nothing else (RFC 9110 5.6.3).
function trim(text) {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

function isSpace(character) {
  return character === ' ' || character === '\t';
}
