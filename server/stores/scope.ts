declare const brand: unique symbol

/**
 * What a viewer may see; every query of both stores requires one. Only `identity/scope.ts` creates it. `null`
 * means all: all organizations (only for the system itself), all regions of the organization, all operators
 * of the regions.
 */
export interface Scope {
  readonly [brand]: true
  readonly organizationId: string | null
  readonly regionIds: readonly string[] | null
  readonly operators: readonly string[] | null
  readonly userId: string | null
}

/** Returns whether a Scope includes the rows of an operator; null: rows of no operator. */
export const canReadOperator = ({ operators }: Pick<Scope, 'operators'>, operator: string | null): boolean =>
  operators === null || (operator !== null && operators.includes(operator))
