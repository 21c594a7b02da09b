"""Where content is kept: objects in S3 or a directory, records in Postgres.

The only package that imports boto3 or pg8000.
"""
