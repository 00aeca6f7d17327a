/** The product that an address belongs to; null outside of both. */
export function productAt(pathname: string): 'mobility' | 'curb' | null {
  const [, area, page] = pathname.split('/').filter(Boolean)
  if (area === 'curb' || (area === 'public' && page === 'regulations')) return 'curb'
  return area === 'mobility' || area === 'mobile' || area === 'public' ? 'mobility' : null
}
