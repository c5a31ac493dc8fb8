import { Progress, Skeleton } from '@mantine/core'
import { storageApi, storageWarningRatio } from '@recado/contract/server'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import classes from './settings.module.css'

const texts = defineTexts({
  es: {
    name: 'Espacio para archivos',
    line: 'Fotos, audios y documentos de clientes y del equipo. Lo que envían los clientes siempre se guarda.',
    used: (used: string, quota: string) => `${used} de ${quota}`,
    noLimit: (used: string) => `${used}, sin límite`,
    nearlyFull: 'Queda poco espacio: activa el borrado de lo antiguo o pide un plan mayor.',
    full: 'Está lleno: el equipo no puede agregar archivos hasta que haya lugar.',
    failed: 'No pudimos ver cuánto espacio se usa.',
  },
  pt: {
    name: 'Espaço para arquivos',
    line: 'Fotos, áudios e documentos de clientes e da equipe. O que os clientes enviam sempre é guardado.',
    used: (used, quota) => `${used} de ${quota}`,
    noLimit: (used) => `${used}, sem limite`,
    nearlyFull: 'Resta pouco espaço: ative a exclusão do que é antigo ou peça um plano maior.',
    full: 'Está cheio: a equipe não pode adicionar arquivos até haver espaço.',
    failed: 'Não conseguimos ver quanto espaço está em uso.',
  },
  en: {
    name: 'File storage',
    line: 'Photos, voice messages and documents from customers and your team. What customers send is always kept.',
    used: (used, quota) => `${used} of ${quota}`,
    noLimit: (used) => `${used}, no limit`,
    nearlyFull: 'Running low on space: turn on automatic deletion of old data or ask for a bigger plan.',
    full: "Full: your team can't add files until there's room.",
    failed: "We couldn't check how much space is used.",
  },
})

const mb = 1024 * 1024
const gb = 1024 * mb
/** Formats a size as plans count it: 1024 MB are 1 GB. */
const formatSize = (bytes: number): string => {
  if (bytes >= gb) return `${formatNumber(Math.round((bytes / gb) * 10) / 10)} GB`
  return `${formatNumber(bytes < mb ? Math.round((bytes / mb) * 10) / 10 : Math.round(bytes / mb))} MB`
}

/** How much of the plan's storage the company uses, as a bar. */
export function StorageUsageRow() {
  const words = useTexts(texts)
  const usage = useQuery({ queryKey: ['storage'], queryFn: ({ signal }) => callApi(storageApi.usage, {}, { signal }) })
  const { bytes = 0, quotaBytes = null } = usage.data ?? {}
  const share = quotaBytes === null ? 0 : quotaBytes === 0 ? 1 : bytes / quotaBytes
  const warning = share >= 1 ? words.full : share >= storageWarningRatio ? words.nearlyFull : null
  return (
    <li className={classes.option} data-wide>
      <div className={classes.words}>
        <span className={classes.name}>{words.name}</span>
        <span className={classes.line}>{usage.isError ? words.failed : (warning ?? words.line)}</span>
      </div>
      <div className={classes.control}>
        {usage.isPending ? (
          <Skeleton height={18} width={210} radius={9} />
        ) : (
          usage.isSuccess && (
            <div className={classes.storage}>
              <span>
                {quotaBytes === null
                  ? words.noLimit(formatSize(bytes))
                  : words.used(formatSize(bytes), formatSize(quotaBytes))}
              </span>
              {quotaBytes !== null && (
                <Progress
                  value={Math.min(100, share * 100)}
                  {...(warning && { color: 'red' })}
                  size="sm"
                  aria-label={words.name}
                />
              )}
            </div>
          )
        )}
      </div>
    </li>
  )
}
