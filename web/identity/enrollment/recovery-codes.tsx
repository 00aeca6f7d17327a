import { Button, Checkbox } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadFile } from '#web/kit/download-file.ts'
import { focusWhenShown } from '../focus-when-shown.ts'
import styles from './enrollment.module.css'

interface Props {
  codes: readonly string[]
  /** Called after the user has confirmed that the codes are stored. */
  onConfirmed: () => void
}

/** The recovery codes, shown once until the user confirms that they are stored. */
export function RecoveryCodes({ codes, onConfirmed }: Props) {
  const { t } = useTranslation()
  const [isConfirmed, setIsConfirmed] = useState(false)
  const [copyResult, setCopyResult] = useState<'copied' | 'manual' | null>(null)
  const text = `${codes.join('\n')}\n`
  const copy = async () => {
    try {
      // Not available on pages loaded by plain HTTP.
      await navigator.clipboard.writeText(text)
      setCopyResult('copied')
    } catch {
      setCopyResult('manual')
    }
  }
  return (
    <div ref={focusWhenShown} tabIndex={-1} className={styles['flow']}>
      <p className={styles['text']}>{t('account:codes.text')}</p>
      <ul className={styles['codes']} aria-label={t('account:codes.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles['tools']}>
        <Button
          variant="default"
          size="xs"
          leftSection={copyResult === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => void copy()}
        >
          {t('account:codes.copy')}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={16} />}
          onClick={() => downloadFile('publicway-recovery-codes.txt', text, 'text/plain')}
        >
          {t('account:codes.download')}
        </Button>
        <span role="status" className={styles['quiet']}>
          {copyResult ? t(`account:codes.${copyResult}`) : null}
        </span>
      </div>
      <Checkbox
        label={t('account:codes.stored')}
        checked={isConfirmed}
        onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
      />
      <div className={styles['foot']}>
        <Button disabled={!isConfirmed} onClick={onConfirmed}>
          {t('account:codes.done')}
        </Button>
      </div>
    </div>
  )
}
