/** Product of a URL; null outside of both products. */
export function productAt(pathname: string): 'mobility' | 'curb' | null {
  const [, area, page] = pathname.split('/').filter(Boolean)
  if (area === 'curb' || (area === 'public' && page === 'regulations')) return 'curb'
  return area === 'mobility' || area === 'mobile' || area === 'public' ? 'mobility' : null
}
