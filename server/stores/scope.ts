declare const made: unique symbol

/**
 * What a viewer may see, on every query of either store. Only `identity/scope.ts` makes one.
 * `null` means all: organizations (the system itself only), regions of the organization, operators of the regions.
 */
export interface Scope {
  readonly [made]: true
  readonly organizationId: string | null
  readonly regionIds: readonly string[] | null
  readonly operators: readonly string[] | null
  readonly userId: string | null
}

/** Whether rows of an operator, or such as are nobody's (null), lie in a Scope. */
export const canReadOperator = ({ operators }: Pick<Scope, 'operators'>, operator: string | null): boolean =>
  operators === null || (operator !== null && operators.includes(operator))
