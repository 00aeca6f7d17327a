import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#web/data/api-error.ts'
import { describeDevice, endOtherSessions, endSession, listSessions } from '#web/data/sessions.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import styles from './profile.module.css'

const queryKey = ['sessions']
/** More sessions are listed on request: each sign-in of the last week has one. */
const initialSessionCount = 5

/** The user's sessions, with buttons that sign out other devices. */
export function SessionList() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isExpanded, setIsExpanded] = useState(false)
  const sessions = useQuery<Awaited<ReturnType<typeof listSessions>>, ApiError>({
    queryKey,
    queryFn: listSessions,
    staleTime: 0,
  })
  // Null ends all sessions except this one.
  const endSelected = useMutation<unknown, ApiError, string | null>({
    mutationFn: (token) => (token === null ? endOtherSessions() : endSession(token)),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <section className={styles['part']}>
      <h3 className={styles['title']}>{t('account:sessions.title')}</h3>
      {endSelected.error ? (
        <FailedState error={endSelected.error} title={t('account:sessions.failed')} />
      ) : null}
      <Loaded query={sessions}>
        {({ sessions: allSessions, currentId }) => (
          <>
            <ul className={styles['sessions']}>
              {(isExpanded ? allSessions : allSessions.slice(0, initialSessionCount)).map((session) => {
                const { id, token, userAgent, ipAddress, updatedAt } = session
                const device = describeDevice(userAgent) ?? t('account:sessions.unknown')
                return (
                  <li key={id}>
                    <span>
                      {device}
                      {ipAddress ? ` · ${ipAddress}` : ''}
                      <br />
                      <small>
                        {id === currentId
                          ? t('account:sessions.current')
                          : t('account:sessions.lastUsed', { time: formatDateTime(updatedAt) })}
                      </small>
                    </span>
                    {id === currentId ? null : (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="red"
                        aria-label={t('account:sessions.endOf', { device })}
                        loading={endSelected.isPending && endSelected.variables === token}
                        onClick={() => endSelected.mutate(token)}
                      >
                        {t('account:sessions.end')}
                      </Button>
                    )}
                  </li>
                )
              })}
            </ul>
            {allSessions.length > 1 ? (
              <div className={styles['buttons']}>
                {!isExpanded && allSessions.length > initialSessionCount ? (
                  <Button variant="default" onClick={() => setIsExpanded(true)}>
                    {t('account:sessions.showAll', { count: allSessions.length })}
                  </Button>
                ) : null}
                <Button
                  variant="default"
                  loading={endSelected.isPending && endSelected.variables === null}
                  onClick={() => endSelected.mutate(null)}
                >
                  {t('account:sessions.endOthers')}
                </Button>
              </div>
            ) : null}
          </>
        )}
      </Loaded>
    </section>
  )
}
