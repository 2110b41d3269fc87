// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

/// What a constructor would set. The local chain writes a token's code to the address that the real one has on its network,
/// where no constructor runs; its owner calls `initialise` once.
abstract contract Initialised {
    string private _tokenName;
    string private _tokenSymbol;
    uint8 private _tokenDecimals;
    address public owner;

    error AlreadyInitialised();
    error NotTheOwner(address caller);

    modifier onlyOwner() {
        require(msg.sender == owner, NotTheOwner(msg.sender));
        _;
    }

    function initialise(string calldata name_, string calldata symbol_, uint8 decimals_) external {
        require(owner == address(0), AlreadyInitialised());
        (_tokenName, _tokenSymbol, _tokenDecimals, owner) = (name_, symbol_, decimals_, msg.sender);
    }

    function name() public view virtual returns (string memory) {
        return _tokenName;
    }

    function symbol() public view virtual returns (string memory) {
        return _tokenSymbol;
    }

    function decimals() public view virtual returns (uint8) {
        return _tokenDecimals;
    }
}
