"""What the layer ships that others wrote: packages, what is compiled into them, and under which licences."""
