import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiCallKind, ApiScope } from '#contract/api-scopes.ts'
import { toHeaders } from '#server/http/serve.ts'
import type { FoundKey } from './find-key.ts'
import type { KeyGate } from './key-gate.ts'

/** Admits a request to an API that is not declared in the contract, such as MDS Agency. @throws Problem. */
export const admitRequest = (
  gate: KeyGate,
  request: FastifyRequest,
  reply: FastifyReply,
  requested: { scopes: readonly ApiScope[] | null; kind: ApiCallKind; regionId: string | null },
): Promise<FoundKey> =>
  gate.admit({
    ...requested,
    headers: toHeaders(request),
    address: request.ip,
    setHeader: (name, value) => void reply.header(name, value),
  })
