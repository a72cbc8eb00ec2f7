"""For instructors and authors: what makes lessons, hands them out, and grades a class."""
