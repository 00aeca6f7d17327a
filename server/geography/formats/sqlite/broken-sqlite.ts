import { BoundaryFileError } from '../boundary-file-error.ts'

/** The error of a damaged database, with a message for the user who uploaded it. */
export const brokenSqlite = (reason: string): BoundaryFileError =>
  new BoundaryFileError(
    'broken-geopackage',
    `The GeoPackage is damaged: ${reason}. Was it uploaded or downloaded completely?`,
  )
