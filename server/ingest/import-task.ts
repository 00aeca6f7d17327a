/** One import to be run. */
export interface ImportTask {
  organizationId: string
  regionId: string
  importId: string
}
