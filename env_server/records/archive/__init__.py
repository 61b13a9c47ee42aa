"""Archives: closed episodes in Parquet files, which stay readable after their rows are deleted from the database.

The table `archived` says which file holds an episode. pyarrow, of the extra `data`, is imported only where it is used.
"""
