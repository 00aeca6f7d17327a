export interface RegionsSearch {
  /** The region being edited. */
  edit?: string | undefined
  /** Whether a region is being made. */
  isNew?: true | undefined
}

export const regionsSearch = (search: Record<string, unknown>): RegionsSearch => ({
  ...(typeof search['edit'] === 'string' ? { edit: search['edit'] } : {}),
  ...(search['isNew'] === true ? { isNew: true as const } : {}),
})
