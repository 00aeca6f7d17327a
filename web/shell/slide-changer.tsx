import { ActionIcon, Group, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { dashboardGroups } from './areas.ts'
import { isOn } from './features.ts'
import { addressIn, type PageKey } from './pages.ts'
import { useRegion } from './region.tsx'
import { useStanding } from './use-standing.ts'

/** The sibling dashboards of a page, itself among them; none where it stands alone. */
export const siblingsOf = (page: PageKey): readonly PageKey[] => Object.values(dashboardGroups).find((group: readonly PageKey[]) => group.includes(page)) ?? []

/** Goes among sibling dashboards, by arrows and by a list. The filters in the address bar go along. */
export function SlideChanger({ page }: { page: PageKey }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const standing = useStanding()
  const navigate = useNavigate()
  const siblings = siblingsOf(page).filter((each) => standing && isOn(standing, each))
  const at = siblings.indexOf(page)
  if (at === -1) return null
  const go = (to: PageKey | undefined) => void (to && navigate({ to: addressIn(regionId, to), search: (before: object) => before } as never))
  const arrow = (to: PageKey | undefined, name: string, Icon: typeof IconChevronLeft) => (
    <ActionIcon variant="default" size={36} disabled={!to} aria-label={name} onClick={() => go(to)}><Icon size={18} /></ActionIcon>
  )
  return (
    <Group gap="xs" role="group" aria-label={t('shell:slides.label')} wrap="nowrap">
      {arrow(siblings[at - 1], t('shell:slides.previous'), IconChevronLeft)}
      <NativeSelect
        aria-label={t('shell:slides.choose')} value={page} data={siblings.map((value) => ({ value, label: t(`shell:pages.${value}`) }))}
        onChange={(event) => go(siblings.find((each) => each === event.currentTarget.value))}
      />
      {arrow(siblings[at + 1], t('shell:slides.next'), IconChevronRight)}
    </Group>
  )
}
