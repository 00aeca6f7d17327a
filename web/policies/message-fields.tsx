import { ActionIcon, Select, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './editor.module.css'
import type { FieldProps } from './field-props.ts'
import { firstLocale, freeLocales, localeName, shownLocales } from './message-locales.ts'

/** What riders are told, by language. */
export function MessageFields({ draft: { messages }, change, faultOf }: FieldProps) {
  const { t, i18n } = useTranslation()
  const name = (locale: string): string => localeName(locale, i18n.language)
  const remove = (locale: string): void =>
    change({ messages: Object.fromEntries(Object.entries(messages).filter(([each]) => each !== locale)) })
  return (
    <>
      <p className={styles['hint']}>{t('policies:message.hint')}</p>
      {shownLocales(messages).map((locale) => (
        <div key={locale} className={locale === firstLocale ? undefined : styles['message']}>
          <Textarea
            autosize
            minRows={2}
            maxRows={6}
            maxLength={1000}
            lang={locale}
            label={t('policies:message.in', { language: name(locale) })}
            value={messages[locale] ?? ''}
            error={locale === firstLocale ? faultOf('messages') : null}
            onChange={(event) => change({ messages: { ...messages, [locale]: event.currentTarget.value } })}
          />
          {locale === firstLocale ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('policies:message.remove', { language: name(locale) })}
              onClick={() => remove(locale)}
            >
              <IconTrash size={18} />
            </ActionIcon>
          )}
        </div>
      ))}
      <Select
        label={t('policies:message.add')}
        placeholder={t('kit:dropdown.choose')}
        searchable
        value={null}
        data={freeLocales(messages).map((locale) => ({ value: locale, label: name(locale) }))}
        onChange={(locale) => {
          if (locale !== null) change({ messages: { ...messages, [locale]: '' } })
        }}
      />
    </>
  )
}
