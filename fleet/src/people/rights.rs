//! What needs which role: the one place where roles are compared.

use web::problem::Problem;

use crate::model::{Account, AccountId, Role};
use crate::problem::FORBIDDEN;

/// Something that not everybody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// Submit tests and perft counts, and add workers.
    Submit,
    /// Approve or reject other people's tests.
    ApproveTests,
    /// Start own tests at once.
    SubmitApproved,
    /// Stop, change the priority of, or discard results of other people's tests.
    ManageTests,
    /// Register repositories, whose engines workers build after approval.
    AddRepositories,
    /// Approve and change repositories.
    ApproveRepositories,
    /// Quarantine workers, and end a quarantine.
    Quarantine,
    /// Revoke other people's workers.
    ManageWorkers,
    /// Read who did what.
    ReadAudit,
    /// Invite people, reset passwords, change roles, disable accounts.
    ManagePeople,
}

impl Right {
    /// All rights.
    pub const ALL: [Self; 10] = [
        Self::Submit,
        Self::ApproveTests,
        Self::SubmitApproved,
        Self::ManageTests,
        Self::AddRepositories,
        Self::ApproveRepositories,
        Self::Quarantine,
        Self::ManageWorkers,
        Self::ReadAudit,
        Self::ManagePeople,
    ];

    /// The lowest role that has it.
    pub const fn least_role(self) -> Role {
        match self {
            Self::Submit | Self::AddRepositories => Role::Author,
            Self::ApproveTests
            | Self::SubmitApproved
            | Self::ManageTests
            | Self::ApproveRepositories
            | Self::Quarantine
            | Self::ManageWorkers => Role::Maintainer,
            Self::ReadAudit | Self::ManagePeople => Role::Administrator,
        }
    }

    const fn what(self) -> &'static str {
        match self {
            Self::Submit => "submit tests",
            Self::ApproveTests => "approve tests",
            Self::SubmitApproved => "start tests without approval",
            Self::ManageTests => "manage tests of others",
            Self::AddRepositories => "register repositories",
            Self::ApproveRepositories => "approve repositories",
            Self::Quarantine => "quarantine workers",
            Self::ManageWorkers => "manage workers of others",
            Self::ReadAudit => "read the audit log",
            Self::ManagePeople => "manage accounts",
        }
    }
}

impl Role {
    /// All roles, the lowest first.
    pub const ALL: [Self; 3] = [Self::Author, Self::Maintainer, Self::Administrator];

    /// Its word, as in the database and the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Maintainer => "maintainer",
            Self::Administrator => "administrator",
        }
    }
}

impl Account {
    /// Returns true if its role has the right.
    pub fn may(&self, right: Right) -> bool {
        self.role >= right.least_role()
    }

    /// Rejects what its role does not permit.
    ///
    /// # Errors
    /// `forbidden`, with the role that is needed.
    pub fn require(&self, right: Right) -> Result<(), Problem> {
        if self.may(right) {
            return Ok(());
        }
        let (what, needed) = (right.what(), right.least_role().name());
        let detail = format!(
            "only a {needed} may {what}; {} is {}",
            self.name,
            self.role.name()
        );
        Err(Problem::new(FORBIDDEN, detail))
    }

    /// Permits people to handle what is theirs, and those with the right to handle what is others'.
    ///
    /// # Errors
    /// `forbidden`, with the role that is needed.
    pub fn require_for(&self, owner: AccountId, right: Right) -> Result<(), Problem> {
        if self.id == owner {
            return Ok(());
        }
        self.require(right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(role: Role) -> Account {
        Account {
            id: AccountId(1),
            name: "ada".to_owned(),
            role,
        }
    }

    #[test]
    fn each_role_may_do_what_those_before_it_may() {
        for right in Right::ALL {
            let may = Role::ALL.map(|role| account(role).may(right));
            assert!(may.is_sorted(), "{right:?}: {may:?}");
            assert!(may[2], "{right:?}");
        }
        assert!(!account(Role::Author).may(Right::ApproveTests));
        assert!(!account(Role::Maintainer).may(Right::ManagePeople));
    }

    #[test]
    fn owners_may_handle_what_is_theirs() {
        let author = account(Role::Author);
        assert!(author.require_for(AccountId(1), Right::ManageTests).is_ok());
        let rejected = author.require_for(AccountId(2), Right::ManageTests);
        assert_eq!(
            rejected.expect_err("not hers").detail(),
            "only a maintainer may manage tests of others; ada is author"
        );
    }
}
