/** Returns the URL of the page that starts to impersonate a user. */
export const impersonateAddress = ({ id, email }: { id: string; email: string }): string =>
  `/impersonate?${new URLSearchParams({ id, email })}`

/** Parses the user in a URL's query; null if incomplete. The router's parser would turn ids of digits into numbers. */
export function parseImpersonatedUser(search: string): { user_id: string; user_email: string } | null {
  const params = new URLSearchParams(search)
  const id = params.get('id')
  const email = params.get('email')
  return id && email ? { user_id: id, user_email: email } : null
}
