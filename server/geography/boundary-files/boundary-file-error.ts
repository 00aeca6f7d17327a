type Code =
  | 'empty-file'
  | 'file-too-large'
  | 'unknown-format'
  | 'broken-text'
  | 'not-json'
  | 'not-geojson'
  | 'not-mds-geography'
  | 'not-xml'
  | 'unsafe-xml'
  | 'not-kml'
  | 'broken-zip'
  | 'zip-too-large'
  | 'zip-without-boundaries'
  | 'broken-shapefile'
  | 'broken-geopackage'
  | 'shapefile-not-zipped'
  | 'unknown-projection'
  | 'projection-missing'
  | 'too-many-positions'
  | 'no-usable-feature'

/** A boundary file cannot be read. The message is shown to the user who uploaded it. */
export class BoundaryFileError extends Error {
  readonly code: Code
  /** 1-based position of the invalid record; null if the error concerns the whole file. */
  readonly position: number | null

  constructor(code: Code, message: string, position: number | null = null) {
    super(message)
    this.name = 'BoundaryFileError'
    this.code = code
    this.position = position
  }
}

/** A record cannot be used. The message completes a sentence that starts with the record ("Feature 12 …"). */
export class GeometryProblem extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'GeometryProblem'
    this.code = code
  }
}
