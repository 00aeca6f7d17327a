import { ProviderClients } from './provider-clients.ts'
import type { Sso } from './sso.ts'

/** Opens single sign-on with an empty cache of providers. */
export const openSso = (parts: Omit<Sso, 'clients'>): Sso => ({
  ...parts,
  clients: new ProviderClients(parts.fetch, parts.box),
})
