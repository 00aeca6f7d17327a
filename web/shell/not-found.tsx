import { Button, Group } from '@mantine/core'
import { IconRoadOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { ContactButton } from './contact-button.tsx'
import { useTitle } from './title.ts'

/** Shown for an address without a page. */
export function NotFound() {
  const { t } = useTranslation()
  useTitle(t('shell:notFound.page'))
  return (
    <EmptyState
      order={1}
      title={t('shell:notFound.title')}
      icon={<IconRoadOff />}
      action={
        <Group gap="sm" justify="center">
          <Button component={Link} to="/">
            {t('shell:notFound.back')}
          </Button>
          <ContactButton about="notFound" />
        </Group>
      }
    />
  )
}

/** Page for a URL without a screen. */
export function Lost() {
  return (
    <main>
      <NotFound />
    </main>
  )
}
