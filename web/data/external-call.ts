import { useQuery } from '@tanstack/react-query'

/** A response of the external API, as text, with the time that it took. */
export interface ExternalResponse {
  status: number
  ms: number
  headers: [string, string][]
  text: string
}

/** The headers that are shown to the user. */
const shownHeadersPattern = /^(content-type|ratelimit-|retry-after|x-api-version)/

/** Calls the external API with a key, without the session cookie. */
export async function sendExternal({
  method,
  url,
  apiKey,
  body,
}: {
  method: string
  url: string
  apiKey: string
  body: string | null
}): Promise<ExternalResponse> {
  const start = performance.now()
  const response = await fetch(url, {
    method,
    credentials: 'omit',
    headers: { 'x-api-key': apiKey, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    ...(body === null ? {} : { body }),
  })
  const text = await response.text()
  return {
    status: response.status,
    ms: Math.round(performance.now() - start),
    headers: [...response.headers].filter(([name]) => shownHeadersPattern.test(name)),
    text,
  }
}

/** Returns the OpenAPI document of the server. */
export const useApiDescription = <Document>() =>
  useQuery<Document, Error>({
    queryKey: ['openapi'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/v2/openapi.json', { signal, credentials: 'omit' })
      if (!response.ok) throw new Error(`The description of the API failed with status ${response.status}.`)
      return (await response.json()) as Document
    },
    staleTime: Infinity,
  })
