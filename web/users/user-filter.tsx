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

const searchDelayMs = 300

/** A field that finds one user by typing. */
export function UserFilter({ value, onChange }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [selectedEmail, setSelectedEmail] = useState<string | null>(null)
  // The field shows the selected user's e-mail, which must not be searched for.
  const [searchText] = useDebouncedValue(typed === selectedEmail ? '' : typed, searchDelayMs)
  const users = useEndpointQuery(
    listUsers,
    { query: { search: searchText, size: 50 } },
    { placeholderData: keepPreviousData },
  )
  const options = (users.data?.items ?? []).map(({ id, email }) => ({ value: id, label: email }))
  const optionsWithSelected =
    value && !options.some((option) => option.value === value)
      ? [{ value, label: selectedEmail ?? value }, ...options]
      : options
  return (
    <Select
      label={t('users:audit.user')}
      placeholder={t('users:audit.anyUser')}
      data={optionsWithSelected}
      value={value ?? null}
      error={users.error?.message}
      searchable
      clearable
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={t('users:noUsers.title')}
      clearButtonProps={{ 'aria-label': t('users:audit.clearUser') }}
      onChange={(userId, option) => {
        setSelectedEmail(option?.label ?? null)
        onChange(userId ?? undefined)
      }}
    />
  )
}
