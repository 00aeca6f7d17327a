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
import type { Regulation } from '#contract/curb-regulations.ts'
import type { MenuAction } from '#web/kit/action-menu.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { regulationAddress } from './regulation-address.ts'
import { hasDraftBeside } from './status-mark.tsx'

/** What is done in a dialog. */
export type RegulationAct = 'publish' | 'unpublish' | 'discard' | 'delete'
type OfferedAct = 'open' | 'edit' | 'duplicate' | RegulationAct

const icons: Record<OfferedAct, Icon> = {
  open: IconEye,
  edit: IconPencil,
  duplicate: IconCopy,
  publish: IconWorldUpload,
  unpublish: IconWorldOff,
  discard: IconArrowBackUp,
  delete: IconTrash,
}

/** Acts on a regulation. Publishing an expired one is offered: the dialog says why it cannot be done. */
export function offeredActs(
  regulation: Pick<Regulation, 'published' | 'published_policy_id'>,
  mayEdit: boolean,
): OfferedAct[] {
  if (!mayEdit) return ['open']
  return [
    'open',
    'edit',
    'duplicate',
    ...(regulation.published ? [] : (['publish'] as const)),
    ...(regulation.published_policy_id === null ? [] : (['unpublish'] as const)),
    ...(hasDraftBeside(regulation) ? (['discard'] as const) : []),
    'delete',
  ]
}

/** Menu of a regulation: label and actions. */
export function regulationMenu(
  t: TFunction,
  regulation: Regulation,
  mayEdit: boolean,
  onAct: (act: RegulationAct, regulation: Regulation) => void,
): { label: string; acts: MenuAction[] } {
  const { region_id: regionId, regulation_id: id } = regulation
  const targetOf = (act: OfferedAct) => {
    if (act === 'open') return { to: regulationAddress(regionId, id) }
    if (act === 'edit') return { to: regulationAddress(regionId, id, 'edit') }
    if (act === 'duplicate') return { to: pagePath(regionId, 'regulationCreate'), search: { copy: id } }
    return { onSelect: () => onAct(act, regulation) }
  }
  const acts = offeredActs(regulation, mayEdit).map((act) => ({
    key: act,
    label: t(`policies:acts.${act}`),
    icon: icons[act],
    isDanger: act === 'delete' || act === 'discard',
    ...targetOf(act),
  }))
  return { label: t('policies:acts.of', { name: regulation.name }), acts }
}
