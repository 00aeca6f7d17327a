import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listUsers } from '#contract/users.ts'
import { useEndpointQuery } from '#web/data/query.ts'

interface Props {
  value: string | undefined
  onChange: (userId: string | undefined) => void
}

const searchAfter = 300

/** One user out of all, found by typing. */
export function UserFilter({ value, onChange }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [known, setKnown] = useState<string | null>(null)
  // The field contains the selected user, which is not a search.
  const [searched] = useDebouncedValue(typed === known ? '' : typed, searchAfter)
  const users = useEndpointQuery(
    listUsers,
    { query: { search: searched, size: 50 } },
    { placeholderData: keepPreviousData },
  )
  const options = (users.data?.items ?? []).map(({ id, email }) => ({ value: id, label: email }))
  const all =
    value && !options.some((option) => option.value === value)
      ? [{ value, label: known ?? value }, ...options]
      : options
  return (
    <Select
      label={t('users:audit.user')}
      placeholder={t('users:audit.anyUser')}
      data={all}
      value={value ?? null}
      searchable
      clearable
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={t('users:noUsers.title')}
      clearButtonProps={{ 'aria-label': t('users:audit.clearUser') }}
      onChange={(userId, option) => {
        setKnown(option?.label ?? null)
        onChange(userId ?? undefined)
      }}
    />
  )
}
