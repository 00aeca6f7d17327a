/** Path of the public pages of a region, or of one of them. */
export const publicAddress = (
  regionId: string,
  page?: 'policies' | 'routes' | 'regulations' | 'rates',
): string => `/${encodeURIComponent(regionId)}/public${page ? `/${page}` : ''}`
