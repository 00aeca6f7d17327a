import { ProviderClients } from './provider-clients.ts'
import type { Sso } from './sso.ts'

/** Single sign-on with an empty memory of its providers. */
export const openSso = (parts: Omit<Sso, 'clients'>): Sso => ({
  ...parts,
  clients: new ProviderClients(parts.fetch, parts.box),
})
