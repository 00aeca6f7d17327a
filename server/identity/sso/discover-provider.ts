import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client'
import { FetchRefused, type GuardedFetch } from '#server/http/guarded-fetch.ts'

const timeoutSeconds = 10

/** How this server is registered at a provider. The secret is null for clients without authentication. */
export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string | null
}

/** A provider cannot be used. Administrators see the message. */
export class UnusableProvider extends Error {
  override name = 'UnusableProvider'
}

/** Chooses the client authentication. The default is that of OpenID Connect Discovery 1.0, section 3. */
function chooseAuthentication(methods: readonly string[] = ['client_secret_basic'], secret: string | null) {
  if (!secret) return None()
  if (methods.includes('client_secret_basic')) return ClientSecretBasic(secret)
  if (methods.includes('client_secret_post')) return ClientSecretPost(secret)
  throw new UnusableProvider('The provider takes no client secret, by header or by form.')
}

/** Returns a sentence about why a document could not be read, for administrators. */
const toReason = (error: unknown): string => {
  if (error instanceof FetchRefused) return error.message
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown }
  if (cause instanceof FetchRefused) return cause.message
  return `It could not be read${typeof code === 'string' ? ` (${code})` : ''}.`
}

/**
 * Reads a provider's discovery document.
 * @throws UnusableProvider if it cannot be read, names another issuer, or does not support the authorization
 * code flow.
 */
export async function discoverProvider(
  { issuer, clientId, clientSecret }: ProviderSettings,
  createGuardedFetch: GuardedFetch,
): Promise<Configuration> {
  const server = new URL(issuer)
  const guardedCustomFetch: CustomFetch = (url, { method, headers, body, signal }) =>
    createGuardedFetch(url, { method, headers, body: body as URLSearchParams | undefined, signal })
  if (server.search || server.hash) throw new UnusableProvider('The issuer has no query and no fragment.')
  const configuration = await discovery(server, clientId, undefined, undefined, {
    timeout: timeoutSeconds,
    // The guarded fetch decides about plain HTTP. A provider with an HTTPS issuer must not use it.
    execute: server.protocol === 'http:' ? [allowInsecureRequests] : [],
    [customFetch]: guardedCustomFetch,
  }).catch((error: unknown) => {
    throw new UnusableProvider(`The discovery document of ${issuer} cannot be used. ${toReason(error)}`)
  })
  const metadata = configuration.serverMetadata()
  // The library allows some providers to have many issuers; here a provider has exactly one.
  if (new URL(metadata.issuer).href !== server.href)
    throw new UnusableProvider('The discovery document is of another issuer.')
  const { authorization_endpoint: authorization, token_endpoint: token, jwks_uri: keys } = metadata
  for (const [name, address] of Object.entries({
    authorization_endpoint: authorization,
    token_endpoint: token,
    jwks_uri: keys,
  }))
    if (
      !address ||
      !URL.canParse(address) ||
      ![server.protocol, 'https:'].includes(new URL(address).protocol)
    )
      throw new UnusableProvider(`The discovery document has no ${name} that can be used.`)
  if (metadata.response_types_supported && !metadata.response_types_supported.includes('code'))
    throw new UnusableProvider('The provider offers no authorization code.')
  const client = new Configuration(
    { ...metadata },
    clientId,
    undefined,
    chooseAuthentication(metadata.token_endpoint_auth_methods_supported, clientSecret),
  )
  client[customFetch] = guardedCustomFetch
  client.timeout = timeoutSeconds
  if (server.protocol === 'http:') allowInsecureRequests(client)
  // Makes the library verify the signatures of ID tokens instead of relying on TLS.
  enableNonRepudiationChecks(client)
  return client
}
