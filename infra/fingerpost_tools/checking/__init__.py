"""What `fingerpost check` looks for: each check yields problems, each kind of problem has advice."""
