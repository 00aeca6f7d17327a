import type { Scope } from '#server/stores/scope.ts'

type ScopeFields = Pick<Scope, 'organizationId' | 'regionIds' | 'operators' | 'userId'>

const makeScope = (fields: ScopeFields): Scope => fields as Scope

/** The unlimited Scope of the system, for startup, sign-in and background jobs; never for queries of a viewer. */
export const systemScope: Scope = makeScope({
  organizationId: null,
  regionIds: null,
  operators: null,
  userId: null,
})

/** Returns the Scope of a viewer: regions of the organization with these operators, or all if null. */
export const viewerScope = (
  organizationId: string,
  regionIds: readonly string[],
  userId: string,
  operators: readonly string[] | null = null,
): Scope =>
  makeScope({ organizationId, regionIds: [...regionIds], operators: operators && [...operators], userId })

/** Returns the Scope of a background job: one region. */
export const regionScope = (organizationId: string, regionId: string): Scope =>
  makeScope({ organizationId, regionIds: [regionId], operators: null, userId: null })
