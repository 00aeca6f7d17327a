import { ActionIcon, Group, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { dashboardGroups } from './areas.ts'
import { isPageEnabled } from './features.ts'
import { pagePath, type PageKey } from './pages.ts'
import { useRegion } from './region.tsx'
import { useAccessContext } from './use-access-context.ts'

/** The sibling dashboards of a page, itself among them; none where it stands alone. */
export const siblingsOf = (page: PageKey): readonly PageKey[] =>
  Object.values(dashboardGroups).find((group: readonly PageKey[]) => group.includes(page)) ?? []

type Control = 'previous' | 'next' | 'list'
const focusElement = (shown: HTMLElement | null): void => shown?.focus()

/** Goes among sibling dashboards, by arrows and by a list. The filters in the address bar go along, and so does the focus: each page has a changer of its own. */
export function SlideChanger({ page }: { page: PageKey }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const access = useAccessContext()
  const navigate = useNavigate()
  const lastControl = useLocation({
    select: ({ state }) => (state as { slideChanger?: Control }).slideChanger,
  })
  const siblings = siblingsOf(page).filter((each) => access && isPageEnabled(access, each))
  const at = siblings.indexOf(page)
  if (at === -1) return null
  const targets = { previous: siblings[at - 1], next: siblings[at + 1] }
  const focusedControl = lastControl && lastControl !== 'list' && !targets[lastControl] ? 'list' : lastControl
  const refOf = (control: Control) => (control === focusedControl ? focusElement : undefined)
  const go = (to: PageKey | undefined, by: Control) =>
    void (
      to &&
      navigate({
        to: pagePath(regionId, to),
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
