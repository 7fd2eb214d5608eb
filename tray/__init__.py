"""The tray: one icon, per list its findings, and whether they are checked in. Importing it never imports a GUI."""
