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
  published: boolean
  /** Whether a version is published, possibly beside a draft. */
  hasPublished: boolean
  canEdit: boolean
}

/** Lists the actions of a menu. Publishing a draft is always offered; its dialog explains obstacles. */
export const offeredRuleActions = (
  { published, hasPublished, canEdit }: RuleState,
  mayEdit: boolean,
): RuleAction[] =>
  mayEdit
    ? [
        'open',
        ...(canEdit ? (['edit', 'duplicate'] as const) : []),
        ...(published ? [] : (['publish'] as const)),
        ...(hasPublished ? (['unpublish'] as const) : []),
        ...(!published && hasPublished ? (['discard'] as const) : []),
        'delete',
      ]
    : ['open']

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
