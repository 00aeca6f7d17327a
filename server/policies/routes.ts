import * as contract from '#contract/policies.ts'
import { importPolicies, previewPolicyImport } from '#contract/policy-import.ts'
import { getRequirements, saveRequirements } from '#contract/requirements.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { deletePolicy } from './delete-policy.ts'
import { discardDraft } from './discard-draft.ts'
import { parsePolicyQuery, matchesFilter } from './feed/policy-query.ts'
import { feedRoutes } from './feed/feed-routes.ts'
import { makeGeographiesBody, makePoliciesBody, readFeed } from './feed/read-feed.ts'
import { findRetainedPolicy, findPolicy, findPolicyByConstant } from './find-policy.ts'
import { importPolicies as storeImport, previewImport } from './import/import-policies.ts'
import { listPolicies } from './list-policies.ts'
import { listRevisions } from './list-revisions.ts'
import { publishPolicy, unpublishPolicy } from './publish-policy.ts'
import { findRequirements } from './requirements/find-requirements.ts'
import { saveRequirements as storeRequirements } from './requirements/save-requirements.ts'
import { savePolicy, duplicatePolicy } from './save-policy.ts'

interface Policies {
  state: State
  facts: Facts
  nowMs: () => number
  publicUrl: string
  /** Fetches from servers of other agencies. */
  fetch: GuardedFetch
}

export function policyRoutes({ state, facts, nowMs, publicUrl, fetch }: Policies): Route[] {
  const stores = { state, facts }
  const importContext = { ...stores, fetch }
  return [
    route(contract.listPolicies, ({ viewer, body, at }) => listPolicies(state, viewer.scope, body, at)),
    route(contract.getPolicy, ({ viewer, params, at }) =>
      findPolicy(state, viewer.scope, params.policy_uuid, at),
    ),
    route(contract.getPolicyByConstant, async ({ viewer, params, at }) => ({
      policy: await findPolicyByConstant(state, viewer.scope, params.constant_policy_uuid, at),
    })),
    route(contract.getKeptPolicy, async ({ viewer, params, at }) => ({
      policy: await findRetainedPolicy(state, viewer.scope, params.constant_policy_uuid, at),
    })),
    route(contract.listPolicyRevisions, async ({ viewer, params }) => ({
      items: await listRevisions(state, viewer.scope, params.constant_policy_uuid),
    })),
    route(contract.savePolicy, async (call) => ({ plcy: await savePolicy(stores, call) })),
    route(contract.duplicatePolicy, async (call) => ({ plcy: await duplicatePolicy(stores, call) })),
    route(contract.deletePolicy, async (call) => {
      await deletePolicy(state, call)
      return { deleted: true }
    }),
    route(contract.publishPolicy, async (call) => ({
      plcy: await (call.body.published ? publishPolicy : unpublishPolicy)(stores, call),
    })),
    route(contract.discardDraft, async (call) => ({ plcy: await discardDraft(state, call) })),
    route(contract.getMdsPolicies, async ({ viewer, body, at }) => {
      await findRegion(state, viewer.scope, body.region_id)
      const { lastUpdated, policies } = await readFeed(state, viewer.scope, body.region_id)
      const filter = parsePolicyQuery({}, at)
      return makePoliciesBody(
        lastUpdated,
        typeof filter === 'string'
          ? []
          : policies
              .filter((revision) => matchesFilter(revision, filter, at))
              .map((revision) => revision.body),
      )
    }),
    route(contract.getMdsGeographies, async ({ viewer, body }) => {
      await findRegion(state, viewer.scope, body.region_id)
      const { lastUpdated, geographies } = await readFeed(state, viewer.scope, body.region_id)
      return makeGeographiesBody(lastUpdated, geographies)
    }),
    route(previewPolicyImport, (call) => previewImport(importContext, call)),
    route(importPolicies, (call) => storeImport(importContext, call)),
    route(getRequirements, async ({ viewer, params }) => {
      await findRegion(state, viewer.scope, params.region_id)
      return findRequirements(state.as(viewer.scope), params.region_id)
    }),
    route(saveRequirements, (call) => storeRequirements(state, call)),
    ...feedRoutes({ state, nowMs, publicUrl }),
  ]
}
