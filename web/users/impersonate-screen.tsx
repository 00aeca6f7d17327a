import { Button, Group } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { startImpersonation } from '#contract/users.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { storeImpersonation } from '#web/shell/impersonation.ts'
import { leavePage } from '#web/data/leave-page.ts'
import { parseImpersonatedUser } from './impersonate-address.ts'

/** Starts to impersonate the user of the URL, and restarts the app as that user. */
export function ImpersonateScreen() {
  const { t } = useTranslation()
  const router = useRouter()
  const [target] = useState(() => parseImpersonatedUser(router.history.location.search))
  const start = useEndpointMutation(startImpersonation)
  const hasStarted = useRef(false)
  const startOnce = useEffectEvent(() => {
    if (!target || hasStarted.current) return
    // Strict mode runs effects twice, and every start is written to the audit log.
    hasStarted.current = true
    start.mutate(
      { body: target },
      {
        onSuccess: (user) => {
          storeImpersonation(user)
          leavePage('/')
        },
      },
    )
  })
  useEffect(() => startOnce(), [])
  if (target && !start.error) return <FullLoading />
  return (
    <EmptyState
      order={1}
      title={t('users:impersonate.failed')}
      icon={<IconEyeOff />}
      action={
        <Group gap="sm" justify="center">
          <Button component={Link} to="/admin/users">
            {t('users:impersonate.toUsers')}
          </Button>
          <Button variant="default" component={Link} to="/">
            {t('users:impersonate.toApp')}
          </Button>
        </Group>
      }
    >
      <span role="alert">{start.error ? start.error.message : t('users:impersonate.missing')}</span>
    </EmptyState>
  )
}
