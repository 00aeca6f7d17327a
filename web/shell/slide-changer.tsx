import { ActionIcon, Group, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { dashboardGroups } from './areas.ts'
import { isOn } from './features.ts'
import { addressIn, type PageKey } from './pages.ts'
import { useRegion } from './region.tsx'
import { useStanding } from './use-standing.ts'

/** The sibling dashboards of a page, itself among them; none where it stands alone. */
export const siblingsOf = (page: PageKey): readonly PageKey[] =>
  Object.values(dashboardGroups).find((group: readonly PageKey[]) => group.includes(page)) ?? []

type Control = 'previous' | 'next' | 'list'
const takeFocus = (shown: HTMLElement | null): void => shown?.focus()

/** Goes among sibling dashboards, by arrows and by a list. The filters in the address bar go along, and so does the focus: each page has a changer of its own. */
export function SlideChanger({ page }: { page: PageKey }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const standing = useStanding()
  const navigate = useNavigate()
  const used = useLocation({ select: ({ state }) => (state as { slideChanger?: Control }).slideChanger })
  const siblings = siblingsOf(page).filter((each) => standing && isOn(standing, each))
  const at = siblings.indexOf(page)
  if (at === -1) return null
  const targets = { previous: siblings[at - 1], next: siblings[at + 1] }
  const holder = used && used !== 'list' && !targets[used] ? 'list' : used
  const refOf = (control: Control) => (control === holder ? takeFocus : undefined)
  const go = (to: PageKey | undefined, by: Control) =>
    void (
      to &&
      navigate({
        to: addressIn(regionId, to),
        search: (before: object) => before,
        state: { slideChanger: by },
      } as never)
    )
  const arrow = (by: 'previous' | 'next', Icon: typeof IconChevronLeft) => (
    <ActionIcon
      ref={refOf(by)}
      variant="default"
      size={36}
      disabled={!targets[by]}
      aria-label={t(`shell:slides.${by}`)}
      onClick={() => go(targets[by], by)}
    >
      <Icon size={18} />
    </ActionIcon>
  )
  return (
    <Group gap="xs" role="group" aria-label={t('shell:slides.label')} wrap="nowrap">
      {arrow('previous', IconChevronLeft)}
      <NativeSelect
        ref={refOf('list')}
        aria-label={t('shell:slides.choose')}
        value={page}
        data={siblings.map((value) => ({ value, label: t(`shell:pages.${value}`) }))}
        onChange={(event) =>
          go(
            siblings.find((each) => each === event.currentTarget.value),
            'list',
          )
        }
      />
      {arrow('next', IconChevronRight)}
    </Group>
  )
}
