-- What wrk asks for: the targets in the file that is named behind `--`, in turn, each thread from its own place.
-- At the end one line of JSON: what was answered, and how fast (microseconds).

local targets, at = {}, 0
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  for line in io.lines(args[1]) do
    targets[#targets + 1] = wrk.format("GET", line, { Host = "load.example", Accept = "text/html", ["Accept-Encoding"] = "gzip" })
  end
  at = number * 7919
end

function request()
  at = at + 1
  return targets[at % #targets + 1]
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"bytes":%d,"errors":%d,"p50":%d,"p99":%d,"most":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
