/** Why an action on a policy is refused; used by server and web. */
export const policyTexts = {
  expired: 'This policy is expired and cannot be published.',
  cannotDelete: 'This policy cannot be deleted.',
  cannotModify: 'This policy cannot be modified. Please reload the page and try again.',
  unsaved: 'Save this policy and reload the page to modify.',
  cannotSave: 'This policy cannot be saved.',
  unresolved: 'Please resolve errors to save.',
  unknown: "The policy you selected can't be found",
} as const
