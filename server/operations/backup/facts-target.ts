import { BackupError } from './manifest.ts'

/** Returns the target of a ClickHouse server's backup as SQL: CLICKHOUSE_BACKUP_TO with the backup's name. */
export function toServerTarget(template: string | null, name: string): string {
  if (template === null)
    throw new BackupError(
      "A backup with a ClickHouse server needs CLICKHOUSE_BACKUP_TO, such as File('/backups/{name}.tar.gz') or S3('https://host/bucket/{name}', 'key', 'secret') (docs/operations.md).",
    )
  return template.replaceAll('{name}', name)
}

/** Returns a target without credentials of S3, for the manifest. */
export const withoutCredentials = (target: string): string =>
  target.replace(/^(\w+\('[^']*')[\s\S]*\)$/, '$1)')
