// Platform matching for packages in the lock file. Like prepare.mjs it uses only Node's built-ins.
import process from 'node:process'

/** The current platform, in package.json terms. */
export const here = { os: process.platform, cpu: process.arch, libc: libcHere() }

/** Whether a package is platform-specific: native parts of other packages are separate optional packages. */
export const isNative = ({ os, cpu, libc }) => Boolean(os ?? cpu ?? libc)

export const fits = (entry, { os, cpu, libc }) =>
  allows(entry.os, os) && allows(entry.cpu, cpu) && (!entry.libc || allows(entry.libc, libc))

export const inWords = ({ os, cpu, libc }) => [os, cpu, libc].filter(Boolean).join(' ')

/** A list of names, optionally negated with `!`, or a single name. */
function allows(list, name) {
  const names = [list ?? []].flat()
  if (!names.length || names.includes('any')) return true
  if (names.includes(`!${name}`)) return false
  return names.includes(name) || names.every((one) => one.startsWith('!'))
}

function libcHere() {
  if (process.platform !== 'linux') return undefined
  // Network information in the report would resolve host names, which takes seconds.
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}
