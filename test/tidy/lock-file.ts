import satisfies from 'semver/functions/satisfies.js'

type Locked = {
  optional?: boolean
  version?: string
  integrity?: string
  link?: boolean
  engines?: { node?: string }
  optionalDependencies?: Record<string, string>
}

/** The parts of a lock file and a package that the rules use. */
export type LockFile = { packages: Record<string, Locked> }
export type Manifest = { scripts?: Record<string, string> }

/**
 * Returns packages for other platforms that the lock file lacks. npm omits them if it cannot see them where it runs,
 * and then refuses to install from that lock file anywhere.
 */
export function missingFromLock({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([place, locked]) =>
    Object.keys(locked.optionalDependencies ?? {})
      .filter((name) => !placesOf(name, place).some((at) => packages[at]?.version))
      .map((name) => `${name}, which ${place} may need`)
  )
}

/**
 * Returns packages that npm would install without comparing the hash of their archive. npm writes such an entry for the
 * binary of another platform that the registry does not have yet. In that case, pin the newest version of its parent
 * that is complete for all platforms.
 */
export function missingIntegrity({ packages }: LockFile): string[] {
  return Object.entries(packages)
    .filter(
      ([place, locked]) => place !== '' && locked.link !== true && !/^sha512-.{86}==$/.test(locked.integrity ?? '')
    )
    .map(([place]) => place)
}

/** Returns scripts that would run unasked on the machine of a user or contributor. */
export function scriptsAtInstall({ scripts }: Manifest): string[] {
  return ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => scripts && Object.hasOwn(scripts, name))
}

/** Returns where Node looks for a package: beside its user, then further out. */
function placesOf(name: string, place: string): string[] {
  const inside = place === '' ? [] : [`${place}/node_modules/${name}`]
  const outer = place.lastIndexOf('/node_modules/')
  return [...inside, ...(outer < 0 ? [`node_modules/${name}`] : placesOf(name, place.slice(0, outer)))]
}

/** Returns packages that declare not to run on the oldest Node.js that memctl supports. */
export function unsupportedEngines({ packages }: LockFile, oldest: string): string[] {
  return Object.entries(packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(oldest, engines.node))
    .map(([place, { engines }]) => `${place}: ${engines?.node}`)
}
