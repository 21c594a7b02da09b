"""What the site publishes: addresses, languages, visibility and entries."""
