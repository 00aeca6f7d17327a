import type { TFunction } from 'i18next'
import type { Regulation } from '#contract/curb-regulations.ts'
import { pagePath } from '#web/shell/pages.ts'
import { offeredRuleActions, type RuleAction, ruleMenu } from '#web/shell/rule-menu.ts'
import { regulationAddress } from './regulation-address.ts'

/** Actions that open a dialog. */
export type RegulationAction = Exclude<RuleAction, 'open' | 'edit' | 'duplicate'>

/** Returns the menu of a regulation: label and actions. */
export function getRegulationMenu(
  t: TFunction,
  regulation: Regulation,
  canEdit: boolean,
  onAction: (action: RegulationAction, regulation: Regulation) => void,
): ReturnType<typeof ruleMenu> {
  const { region_id: regionId, regulation_id: id, published, published_policy_id: publishedId } = regulation
  const actions = offeredRuleActions(
    { published, hasPublished: publishedId !== null, canEdit: true },
    canEdit,
  )
  return ruleMenu(t, regulation.name, actions, (action) => {
    if (action === 'open') return { to: regulationAddress(regionId, id) }
    if (action === 'edit') return { to: regulationAddress(regionId, id, 'edit') }
    if (action === 'duplicate') return { to: pagePath(regionId, 'regulationCreate'), search: { copy: id } }
    return { onSelect: () => onAction(action, regulation) }
  })
}
