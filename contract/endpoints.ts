import type { Endpoint } from './endpoint.ts'
import * as evaluation from './evaluation.ts'
import * as geography from './geography.ts'
import * as identity from './identity.ts'
import * as ingest from './ingest.ts'
import * as operators from './operators.ts'
import * as organizations from './organizations.ts'
import * as regions from './regions.ts'
import * as signInProviders from './sign-in-providers.ts'
import * as users from './users.ts'

const isEndpoint = (value: unknown): value is Endpoint => typeof value === 'object' && value !== null && 'permission' in value && 'answer' in value && 'path' in value

const rooms = { identity, users, signInProviders, organizations, regions, operators, geography, ingest, evaluation }

/** Every operation of the API with its name. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  Object.values(rooms).flatMap((room) => Object.entries(room).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))),
)

/** The room that an operation belongs to, by the operation's name. */
export const roomOfEndpoint: ReadonlyMap<string, keyof typeof rooms> = new Map(
  Object.entries(rooms).flatMap(([room, values]) => Object.entries(values).filter(([, value]) => isEndpoint(value)).map(([name]) => [name, room as keyof typeof rooms] as const)),
)
