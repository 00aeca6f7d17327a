/** The page that begins to look on as a user. */
export const impersonateAddress = ({ id, email }: { id: string; email: string }): string =>
  `/impersonate?${new URLSearchParams({ id, email })}`

/** Whom the address names; null where a part is missing. Read by hand: the router would take an id of digits for a number. */
export function impersonatedOf(search: string): { user_id: string; user_email: string } | null {
  const params = new URLSearchParams(search)
  const [id, email] = [params.get('id'), params.get('email')]
  return id && email ? { user_id: id, user_email: email } : null
}
