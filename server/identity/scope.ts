import type { Scope } from '#server/stores/scope.ts'

type Fields = Pick<Scope, 'organizationId' | 'regionIds' | 'operators' | 'userId'>

const makeScope = (fields: Fields): Scope => fields as Scope

/** What the system itself sees: all. For start-up, sign-in and background jobs; never for a viewer's question. */
export const systemScope: Scope = makeScope({
  organizationId: null,
  regionIds: null,
  operators: null,
  userId: null,
})

/** A viewer's Scope: the regions of their organization; every operator in them, or those that are named. */
export const viewerScope = (
  organizationId: string,
  regionIds: readonly string[],
  userId: string,
  operators: readonly string[] | null = null,
): Scope =>
  makeScope({ organizationId, regionIds: [...regionIds], operators: operators && [...operators], userId })

/** A background job's Scope: one region and no more. */
export const regionScope = (organizationId: string, regionId: string): Scope =>
  makeScope({ organizationId, regionIds: [regionId], operators: null, userId: null })
