"""Runs skillc as `python -m skillc`."""

from skillc.entry import main

if __name__ == "__main__":
    main()
