"""Acts: settings, store, migrations, inbox, outbox, the night and the command line."""
