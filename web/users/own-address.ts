/** A link as an address of this site, whatever host it names: nobody is led away by it. */
export function ownAddress(link: string, origin: string): string {
  if (!URL.canParse(link, origin)) return '/login'
  const { protocol, pathname, search, hash } = new URL(link, origin)
  // A path of two slashes would name a host.
  return /^https?:$/.test(protocol) ? `${pathname.replace(/^\/+/, '/')}${search}${hash}` : '/login'
}
