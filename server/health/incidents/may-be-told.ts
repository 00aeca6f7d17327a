import type { State } from '#server/stores/state.ts'

/** Subscriptions of users who may sign in and see a region, to be narrowed further. */
export const mayBeTold = (store: ReturnType<State['as']>, regionId: string) =>
  store
    .selectFrom('incident_subscription')
    .innerJoin('user', 'user.id', 'incident_subscription.user_id')
    .where('user.disabled', '=', false)
    .where((each) =>
      each.or([
        each('user.allRegions', '=', true),
        each.exists(
          each
            .selectFrom('user_region')
            .select('user_region.user_id')
            .whereRef('user_region.user_id', '=', 'incident_subscription.user_id')
            .where('user_region.region_id', '=', regionId),
        ),
      ]),
    )
