import { BoundaryFileError } from '../boundary-file-error.ts'

/** The database cannot be read on: as a sentence for the person who sent it. */
export const brokenSqlite = (reason: string): BoundaryFileError =>
  new BoundaryFileError(
    'broken-geopackage',
    `The GeoPackage is damaged: ${reason}. Was it uploaded or downloaded completely?`,
  )
