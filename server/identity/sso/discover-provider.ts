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

export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string | null
}

/** Why a provider cannot be used, in words that its administrator may read. */
export class UnusableProvider extends Error {
  override name = 'UnusableProvider'
}

/** Basic is what OpenID Connect has providers take who say nothing. */
function authenticationOf(methods: readonly string[] = ['client_secret_basic'], secret: string | null) {
  if (!secret) return None()
  if (methods.includes('client_secret_basic')) return ClientSecretBasic(secret)
  if (methods.includes('client_secret_post')) return ClientSecretPost(secret)
  throw new UnusableProvider('The provider takes no client secret, by header or by form.')
}

const reasonOf = (error: unknown): string => {
  if (error instanceof FetchRefused) return error.message
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown }
  if (cause instanceof FetchRefused) return cause.message
  return `It could not be read${typeof code === 'string' ? ` (${code})` : ''}.`
}

/** Reads a provider's discovery document. Throws UnusableProvider where it cannot be read, names another issuer, or offers no authorization code. */
export async function discoverProvider(
  { issuer, clientId, clientSecret }: ProviderSettings,
  guardedFetch: GuardedFetch,
): Promise<Configuration> {
  const server = new URL(issuer)
  const guarded: CustomFetch = (url, { method, headers, body, signal }) =>
    guardedFetch(url, { method, headers, body: body as URLSearchParams | undefined, signal })
  if (server.search || server.hash) throw new UnusableProvider('The issuer has no query and no fragment.')
  const found = await discovery(server, clientId, undefined, undefined, {
    timeout: 10,
    // Plain HTTP is the guard's to refuse; a provider over HTTPS may not lead to it.
    execute: server.protocol === 'http:' ? [allowInsecureRequests] : [],
    [customFetch]: guarded,
  }).catch((error: unknown) => {
    throw new UnusableProvider(`The discovery document of ${issuer} cannot be used. ${reasonOf(error)}`)
  })
  const metadata = found.serverMetadata()
  // The library lets some providers answer for many issuers; here a provider is one issuer.
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
    authenticationOf(metadata.token_endpoint_auth_methods_supported, clientSecret),
  )
  client[customFetch] = guarded
  client.timeout = 10
  if (server.protocol === 'http:') allowInsecureRequests(client)
  // Without it the signature of an ID token is taken on trust of the connection that it came by.
  enableNonRepudiationChecks(client)
  return client
}
