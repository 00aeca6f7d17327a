import { ActionIcon, Group, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isPageEnabled } from './features.ts'
import { type Page, pagePath, type PageKey, pages, pagesOfDashboard, pageTitle } from './pages.ts'
import { useRegion } from './region.tsx'
import { useAccessContext } from './use-access-context.ts'

/** Sibling dashboards of a page including itself; empty if it has none. */
export const getSiblings = (page: PageKey): readonly PageKey[] => {
  const { dashboard }: Page = pages[page]
  return dashboard ? pagesOfDashboard(dashboard) : []
}

/** A control of the changer, which gets the focus again on the next page. */
type Control = 'previous' | 'next' | 'list'
const focusElement = (element: HTMLElement | null): void => element?.focus()

/** Switches between sibling dashboards. Keeps search parameters and focus (each page renders its own). */
export function SlideChanger({ page }: { page: PageKey }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const access = useAccessContext()
  const navigate = useNavigate()
  const lastControl = useLocation({
    select: ({ state }) => (state as { slideChanger?: Control }).slideChanger,
  })
  const siblings = getSiblings(page).filter((sibling) => access && isPageEnabled(access, sibling))
  const index = siblings.indexOf(page)
  if (index === -1) return null
  const targets = { previous: siblings[index - 1], next: siblings[index + 1] }
  const focusedControl = lastControl && lastControl !== 'list' && !targets[lastControl] ? 'list' : lastControl
  const getRef = (control: Control) => (control === focusedControl ? focusElement : undefined)
  const goTo = (target: PageKey | undefined, control: Control): void => {
    if (!target) return
    void navigate({
      to: pagePath(regionId, target),
      search: (previous: object) => previous,
      state: { slideChanger: control },
    } as never)
  }
  const renderArrow = (control: 'previous' | 'next', Icon: typeof IconChevronLeft) => (
    <ActionIcon
      ref={getRef(control)}
      variant="default"
      size={36}
      disabled={!targets[control]}
      aria-label={t(`shell:slides.${control}`)}
      onClick={() => goTo(targets[control], control)}
    >
      <Icon size={18} />
    </ActionIcon>
  )
  return (
    <Group gap="xs" role="group" aria-label={t('shell:slides.label')} wrap="nowrap">
      {renderArrow('previous', IconChevronLeft)}
      <NativeSelect
        ref={getRef('list')}
        aria-label={t('shell:slides.choose')}
        value={page}
        data={siblings.map((value) => ({ value, label: t(pageTitle(value)) }))}
        onChange={(event) =>
          goTo(
            siblings.find((sibling) => sibling === event.currentTarget.value),
            'list',
          )
        }
      />
      {renderArrow('next', IconChevronRight)}
    </Group>
  )
}
