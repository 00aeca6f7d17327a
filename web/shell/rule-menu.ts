import {
  IconArrowBackUp,
  IconCopy,
  IconEye,
  type Icon,
  IconPencil,
  IconTrash,
  IconWorldOff,
  IconWorldUpload,
} from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { MenuAction } from '#web/kit/action-menu.tsx'

/** Actions on a policy or regulation, which has drafts and published versions. */
export type RuleAction = 'open' | 'edit' | 'duplicate' | 'publish' | 'unpublish' | 'discard' | 'delete'

interface RuleState {
  /** Whether the newest version is published, otherwise it is a draft. */
  published: boolean
  /** Whether a version is published, possibly beside a draft. */
  hasPublished: boolean
  /** Whether the app can edit it; it cannot edit imported policies of an unknown type. */
  canEdit: boolean
}

/** Lists the actions of a menu. Publishing a draft is always offered; its dialog explains obstacles. */
export function offeredRuleActions(
  { published, hasPublished, canEdit }: RuleState,
  hasPermission: boolean,
): RuleAction[] {
  if (!hasPermission) return ['open']
  return [
    'open',
    ...(canEdit ? (['edit', 'duplicate'] as const) : []),
    ...(published ? [] : (['publish'] as const)),
    ...(hasPublished ? (['unpublish'] as const) : []),
    ...(!published && hasPublished ? (['discard'] as const) : []),
    'delete',
  ]
}

const icons: Record<RuleAction, Icon> = {
  open: IconEye,
  edit: IconPencil,
  duplicate: IconCopy,
  publish: IconWorldUpload,
  unpublish: IconWorldOff,
  discard: IconArrowBackUp,
  delete: IconTrash,
}

type Target = Pick<MenuAction, 'to' | 'search' | 'onSelect'>

/** Menu of a policy or regulation: label and actions. */
export const ruleMenu = (
  t: TFunction,
  name: string,
  actions: readonly RuleAction[],
  getTarget: (action: RuleAction) => Target,
): { label: string; actions: MenuAction[] } => ({
  label: t('policies:acts.of', { name }),
  actions: actions.map((action) => ({
    key: action,
    label: t(`policies:acts.${action}`),
    icon: icons[action],
    isDanger: action === 'delete' || action === 'discard',
    ...getTarget(action),
  })),
})
