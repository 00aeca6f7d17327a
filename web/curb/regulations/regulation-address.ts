import { pagePath } from '#web/shell/pages.ts'

/** Returns the path of a regulation, or of its editor. */
export const regulationAddress = (regionId: string, regulationId: string, page?: 'edit'): string =>
  `${pagePath(regionId, 'regulationsLibrary')}/${encodeURIComponent(regulationId)}${page ? `/${page}` : ''}`
